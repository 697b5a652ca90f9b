import { fail } from '../errors.ts'
import { askLine } from './question.ts'
import type { Terminal } from './terminal.ts'

const isTerminal = (stream: unknown): boolean => (stream as { isTTY?: boolean }).isTTY === true

/** Asks whether something may be done; without a terminal, and for any answer but yes, it is refused. */
export const confirm = async (what: string, context: Terminal): Promise<void> => {
  if (!isTerminal(context.stdin) || !isTerminal(context.stderr)) throw fail('VID_CONFIRM_MISSING', { what })
  const answer = await askLine(`${what}? [y/N] `, context)
  if (!/^y(es)?$/i.test((answer ?? '').trim())) throw fail('VID_CONFIRM_DECLINED', { what })
}
