/** A page of a result: its lists are cut, and `more` says by how much. */
export interface ResultPage {
  readonly result: Readonly<Record<string, unknown>>
  readonly more: Readonly<Record<string, number>>
}

/** The items of the lists of a result from `offset` on, at most `limit` of each. */
export const pageOf = (
  result: Readonly<Record<string, unknown>>,
  lists: readonly string[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): ResultPage => {
  const cut: Record<string, unknown> = {}
  const more: Record<string, number> = {}
  for (const name of lists) {
    const items = result[name]
    if (!Array.isArray(items)) continue
    cut[name] = items.slice(offset, offset + limit)
    if (items.length > offset + limit) more[name] = items.length - offset - limit
  }
  return { result: { ...result, ...cut }, more }
}
