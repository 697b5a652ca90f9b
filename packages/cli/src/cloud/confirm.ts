import { fail } from '../errors.ts'
import type { CliContext } from '../flags/flag-command.ts'
import { askLine } from './question.ts'

const isTerminal = (stream: unknown): boolean => (stream as { isTTY?: boolean }).isTTY === true

/** Asks whether something may be done; without a terminal, and for any answer but yes, it is refused. */
export const confirm = async (what: string, context: CliContext): Promise<void> => {
  if (!isTerminal(context.stdin) || !isTerminal(context.stderr)) throw fail('VID_CONFIRM_MISSING', { what })
  const answer = await askLine(`${what}? [y/N] `, context)
  if (!/^y(es)?$/i.test((answer ?? '').trim())) throw fail('VID_CONFIRM_DECLINED', { what })
}
