package ecmascript

// kind is what a node of the syntax tree is. The grammars of the dialects number their symbols differently; the extractor works
// on kinds alone.
type kind uint8

// The kinds that the extractor looks at; every other named node is kOther.
const (
	kNone kind = iota // a token without a name, or nothing
	kOther
	kError
	kComment
	kProgram
	// Statements.
	kExport
	kImport
	kExpressionStatement
	kLexical
	kVariable
	kBlock
	kIf
	kElse
	kSwitch
	kSwitchBody
	kCase
	kDefault
	kFor
	kForIn
	kWhile
	kDo
	kTry
	kCatch
	kFinally
	kWith
	kBreak
	kContinue
	kReturn
	kThrow
	kEmpty
	kLabeled
	kDeclarator
	kNamespace
	kEnum
	kEnumBody
	kEnumAssignment
	kAmbient
	// Functions and classes.
	kFunctionDeclaration
	kGeneratorDeclaration
	kFunctionExpression
	kGeneratorFunction
	kArrow
	kMethod
	kParameters
	kRequiredParameter
	kOptionalParameter
	kAssignmentPattern
	kObjectAssignmentPattern
	kRest
	kClassDeclaration
	kClass
	kAbstractClass
	kClassBody
	kHeritage
	kExtends
	kField
	kStaticBlock
	kDecorator
	kAccessibility
	kTypeAnnotation
	// Modules.
	kImportClause
	kNamedImports
	kNamespaceImport
	kImportSpecifier
	kImportRequire
	kImportAlias
	kExportClause
	kExportSpecifier
	kNamespaceExport
	// Expressions.
	kIdentifier
	kPropertyIdentifier
	kPrivateIdentifier
	kTypeIdentifier
	kNestedType
	kNestedIdentifier
	kGenericType
	kThis
	kSuper
	kUndefined
	kNull
	kTrue
	kFalse
	kNumber
	kString
	kTemplate
	kSubstitution
	kRegex
	kObject
	kArray
	kPair
	kShorthand
	kShorthandPattern
	kPairPattern
	kObjectPattern
	kArrayPattern
	kComputed
	kSpread
	kMember
	kSubscript
	kCall
	kNew
	kArguments
	kTypeArguments
	kBinary
	kUnary
	kUpdate
	kTernary
	kAssignment
	kAugmented
	kSequence
	kParenthesized
	kAwait
	kYield
	kAs
	kSatisfies
	kNonNull
	kInstantiation
	kTypeAssertion
	kMetaProperty
)

// kindNames are the grammars' names of the kinds.
func kindNames() map[string]kind {
	return map[string]kind{
		"comment": kComment, "html_comment": kComment, "program": kProgram, "ERROR": kError,
		"export_statement": kExport, "import_statement": kImport, "expression_statement": kExpressionStatement,
		"lexical_declaration": kLexical, "variable_declaration": kVariable, "using_declaration": kLexical, "statement_block": kBlock,
		"if_statement": kIf, "else_clause": kElse, "switch_statement": kSwitch, "switch_body": kSwitchBody, "switch_case": kCase,
		"switch_default": kDefault, "for_statement": kFor, "for_in_statement": kForIn, "while_statement": kWhile,
		"do_statement": kDo, "try_statement": kTry, "catch_clause": kCatch, "finally_clause": kFinally, "with_statement": kWith,
		"break_statement": kBreak, "continue_statement": kContinue, "return_statement": kReturn, "throw_statement": kThrow,
		"empty_statement": kEmpty, "labeled_statement": kLabeled, "variable_declarator": kDeclarator,
		"internal_module": kNamespace, "module": kNamespace, "enum_declaration": kEnum, "enum_body": kEnumBody,
		"enum_assignment": kEnumAssignment, "ambient_declaration": kAmbient,
		"function_declaration": kFunctionDeclaration, "generator_function_declaration": kGeneratorDeclaration,
		"function_expression": kFunctionExpression, "generator_function": kGeneratorFunction, "arrow_function": kArrow,
		"method_definition": kMethod, "formal_parameters": kParameters, "required_parameter": kRequiredParameter,
		"optional_parameter": kOptionalParameter, "assignment_pattern": kAssignmentPattern,
		"object_assignment_pattern": kObjectAssignmentPattern, "rest_pattern": kRest, "class_declaration": kClassDeclaration,
		"class": kClass, "abstract_class_declaration": kAbstractClass, "class_body": kClassBody, "class_heritage": kHeritage,
		"extends_clause": kExtends, "field_definition": kField, "public_field_definition": kField,
		"class_static_block": kStaticBlock, "decorator": kDecorator, "accessibility_modifier": kAccessibility,
		"type_annotation": kTypeAnnotation, "type_predicate_annotation": kTypeAnnotation, "asserts_annotation": kTypeAnnotation,
		"import_clause": kImportClause, "named_imports": kNamedImports, "namespace_import": kNamespaceImport,
		"import_specifier": kImportSpecifier, "import_require_clause": kImportRequire, "import_alias": kImportAlias,
		"export_clause": kExportClause, "export_specifier": kExportSpecifier, "namespace_export": kNamespaceExport,
		"identifier": kIdentifier, "property_identifier": kPropertyIdentifier, "private_property_identifier": kPrivateIdentifier,
		"type_identifier": kTypeIdentifier, "nested_type_identifier": kNestedType, "nested_identifier": kNestedIdentifier,
		"generic_type": kGenericType, "this": kThis, "super": kSuper, "undefined": kUndefined, "null": kNull, "true": kTrue,
		"false": kFalse, "number": kNumber, "string": kString, "template_string": kTemplate, "template_substitution": kSubstitution,
		"regex": kRegex, "object": kObject, "array": kArray, "pair": kPair, "shorthand_property_identifier": kShorthand,
		"shorthand_property_identifier_pattern": kShorthandPattern, "pair_pattern": kPairPattern, "object_pattern": kObjectPattern,
		"array_pattern": kArrayPattern, "computed_property_name": kComputed, "spread_element": kSpread, "member_expression": kMember,
		"subscript_expression": kSubscript, "call_expression": kCall, "new_expression": kNew, "arguments": kArguments,
		"type_arguments": kTypeArguments, "binary_expression": kBinary, "unary_expression": kUnary, "update_expression": kUpdate,
		"ternary_expression": kTernary, "assignment_expression": kAssignment, "augmented_assignment_expression": kAugmented,
		"sequence_expression": kSequence, "parenthesized_expression": kParenthesized, "await_expression": kAwait,
		"yield_expression": kYield, "as_expression": kAs, "satisfies_expression": kSatisfies, "non_null_expression": kNonNull,
		"instantiation_expression": kInstantiation, "type_assertion": kTypeAssertion, "meta_property": kMetaProperty,
	}
}

// isFunction reports whether a node has a body of its own that runs when it is called.
func (k kind) isFunction() bool { return k >= kFunctionDeclaration && k <= kMethod }

// isClass reports whether a node is a class.
func (k kind) isClass() bool { return k == kClassDeclaration || k == kClass || k == kAbstractClass }
