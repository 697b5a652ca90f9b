import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Terminal } from './terminal.ts'

/** Asks one line of a person at the terminal, also without showing it; undefined when there is no answer. */
export const askLine = async (
  text: string,
  { stdin, stderr, signal }: Terminal,
  { isHidden = false }: { readonly isHidden?: boolean } = {},
): Promise<string | undefined> => {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isHidden ? silent : stderr
  const lines = createInterface({ input: stdin, output, terminal: isHidden, historySize: 0 })
  const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
  // The terminal sends no signal while every key press is read here.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  stderr.write(text)
  try {
    return await Promise.race([lines.question('', { signal }), closed])
  } catch (thrown) {
    signal.throwIfAborted()
    throw thrown
  } finally {
    lines.close()
    if (isHidden) stderr.write('\n')
  }
}
