import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { CliContext } from './flags/flag-command.ts'

/** Reads one secret: typed without being shown at a terminal, else the first line of stdin. */
export const readSecret = async (
  { stdin, stderr, signal }: Pick<CliContext, 'stdin' | 'stderr' | 'signal'>,
  label: string,
): Promise<string> => {
  const isTerminal = (stdin as { readonly isTTY?: boolean }).isTTY === true
  if (!isTerminal) return (await text(stdin)).split(/\r?\n/, 1)[0] ?? ''
  stderr.write(`${label}: `)
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: hidden, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(''))
      // The terminal no longer turns Ctrl-C into a signal.
      lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  } finally {
    lines.close()
    stderr.write('\n')
  }
}
