type Props<T> = { items: T[]; render: (t: T) => JSX.Element };

export function List<T extends { id: string }>({ items, render }: Props<T>) {
  if (items.length === 0) {
    throw new Error("a list needs items");
  }
  return (
    <ul className={items.length > 3 ? "long" : "short"} data-n='1'>
      {items.map((item) => <li key={item.id}>{render(item)} text, {"quoted"}</li>)}
      {/* a comment */}
      <></>
      <Some.Part<string> on:click={() => void 0} />
    </ul>
  );
}
