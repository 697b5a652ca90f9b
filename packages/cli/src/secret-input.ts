import { text } from 'node:stream/consumers'
import { askLine } from './cloud/question.ts'
import type { CliContext } from './flags/flag-command.ts'

/** Reads one secret: typed without being shown at a terminal, else the first line of stdin. */
export const readSecret = async (
  context: Pick<CliContext, 'stdin' | 'stderr' | 'signal'>,
  label: string,
): Promise<string> => {
  const isTerminal = (context.stdin as { readonly isTTY?: boolean }).isTTY === true
  if (!isTerminal) return (await text(context.stdin)).split(/\r?\n/, 1)[0] ?? ''
  return (await askLine(`${label}: `, context, { isHidden: true })) ?? ''
}
