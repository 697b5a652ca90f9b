import { createInterface } from 'node:readline/promises'
import { fail } from '../errors.ts'
import type { CliContext } from '../flags/flag-command.ts'

const isTerminal = (stream: unknown): boolean => (stream as { isTTY?: boolean }).isTTY === true

/** Asks whether something may be done; without a terminal, and for any answer but yes, it is refused. */
export const confirm = async (what: string, { stdin, stderr, signal }: CliContext): Promise<void> => {
  if (!isTerminal(stdin) || !isTerminal(stderr)) throw fail('VID_CONFIRM_MISSING', { what })
  const lines = createInterface({ input: stdin, output: stderr, terminal: false })
  try {
    const answer = await lines.question(`${what}? [y/N] `, { signal })
    if (!/^y(es)?$/i.test(answer.trim())) throw fail('VID_CONFIRM_DECLINED', { what })
  } catch (thrown) {
    signal.throwIfAborted()
    throw thrown
  } finally {
    lines.close()
  }
}
