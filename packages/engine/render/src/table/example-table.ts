import type { Declaration } from '@vid/core'

const quoted = (text: string) => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A table for a batch of a composition: a column for each variable, and a row with their defaults. */
export const exampleTable = (declarations: readonly Declaration[]): string => {
  const rows = [declarations.map(({ id }) => id), declarations.map((declaration) => String(declaration.default))]
  return rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')
}
