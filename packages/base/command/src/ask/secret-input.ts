import { text } from 'node:stream/consumers'
import { askLine } from './question.ts'
import type { Terminal } from './terminal.ts'

/** Reads one secret: typed without being shown at a terminal, else the first line of stdin. */
export const readSecret = async (context: Terminal, label: string): Promise<string> => {
  const isTerminal = (context.stdin as { readonly isTTY?: boolean }).isTTY === true
  if (!isTerminal) return (await text(context.stdin)).split(/\r?\n/, 1)[0] ?? ''
  return (await askLine(`${label}: `, context, { isHidden: true })) ?? ''
}
