import { printableLines } from '@vid/protocol'
import { createReplyText } from '@vid/server'
import type { Roots } from '../roots/roots.ts'

/** Makes a text safe to read for a program: without escape sequences, credentials, and paths outside of the roots. */
export type Plain = (text: string) => string

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what an escape sequence is made of
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g

/** Paths in the roots are written from the first one, or whole in another; of others only the last name stays. */
export const plainText = (roots: Roots): Plain => {
  const [first] = roots
  const reply = createReplyText()
  return (text) => {
    const relative = text.replaceAll(`${first}/`, '').replaceAll(first, '.')
    // Other roots keep their names: they must not be taken for paths of this machine's owner.
    const marked = roots.slice(1).reduce((line, root, index) => line.replaceAll(root, `\u0000${index}\u0000`), relative)
    const { message } = reply.warning({ message: marked })
    const named = roots.slice(1).reduce((line, root, index) => line.replaceAll(`\u0000${index}\u0000`, root), message)
    return printableLines(named.replaceAll(ESCAPES, ''))
  }
}

/** The same for every text of a value. */
export const plainValue = (value: unknown, plain: Plain): unknown => {
  if (typeof value === 'string') return plain(value)
  if (Array.isArray(value)) return value.map((item) => plainValue(item, plain))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [plain(name), plainValue(part, plain)]))
}
