import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { fail } from '../../../errors.ts'
import type { CliContext } from '../../../flags/flag-command.ts'

const MAX_BYTES = 16 * 1024

/** Asks for a key at the terminal, without showing what is typed. */
const askHidden = async ({ stdin, stderr, signal }: CliContext): Promise<string> => {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal: true, historySize: 0 })
  // The terminal sends no signal while every key press is read here.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  stderr.write('API key (not shown): ')
  try {
    return await lines.question('', { signal })
  } catch (thrown) {
    signal.throwIfAborted()
    throw thrown
  } finally {
    lines.close()
    stderr.write('\n')
  }
}

const readPipe = async ({ stdin, signal }: CliContext): Promise<string> => {
  let text = ''
  const stop = () => (stdin as NodeJS.ReadStream).destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of stdin) {
      text += String(chunk)
      if (text.length > MAX_BYTES)
        throw fail('VID_KEY_MISSING', { problem: `stdin has more than ${MAX_BYTES} characters` })
    }
  } finally {
    signal.removeEventListener('abort', stop)
    signal.throwIfAborted()
  }
  return text
}

/** The API key of a user: typed at a terminal, else all of stdin. */
export const readKey = async (context: CliContext): Promise<string> => {
  const isTyped = (context.stdin as { isTTY?: boolean }).isTTY === true
  const key = (isTyped ? await askHidden(context) : await readPipe(context)).trim()
  if (key === '') throw fail('VID_KEY_MISSING', { problem: isTyped ? 'nothing was typed' : 'stdin is empty' })
  return key
}
