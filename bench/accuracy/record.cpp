// Writes each exception that the program throws to the file named by RECORD: the address that throws it, and in hexadecimal its type
// and what it says. It is linked with -Wl,--wrap=__cxa_throw.
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <typeinfo>

static void hex(FILE* out, const char* s) {
  for (; *s != 0; s++) std::fprintf(out, "%02x", static_cast<unsigned char>(*s));
}

extern "C" [[noreturn]] void __real___cxa_throw(void* thrown, std::type_info* type, void (*destroy)(void*));

extern "C" [[noreturn]] void __wrap___cxa_throw(void* thrown, std::type_info* type, void (*destroy)(void*)) {
  static FILE* out = std::fopen(std::getenv("RECORD"), "a");
  void* object = thrown;
  if (out != nullptr && typeid(std::exception).__do_catch(type, &object, 1)) {
    int failed = 0;
    char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &failed);
    std::fprintf(out, "%p ", __builtin_return_address(0));
    hex(out, failed == 0 ? name : type->name());
    std::fputc(' ', out);
    hex(out, static_cast<std::exception*>(object)->what());
    std::fputc('\n', out);
    std::fflush(out);
    std::free(name);
  }
  __real___cxa_throw(thrown, type, destroy);
}
