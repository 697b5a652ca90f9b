import { askLine, type Terminal } from '@vid/command'
import { fail } from '../../../errors.ts'

const MAX_BYTES = 16 * 1024

const readPipe = async ({ stdin, signal }: Terminal): Promise<string> => {
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

const askTyped = async (context: Terminal): Promise<string> =>
  (await askLine('API key (not shown): ', context, { isHidden: true })) ?? ''

/** Reads the user's API key: typed at a terminal, otherwise all of stdin. */
export const readKey = async (context: Terminal): Promise<string> => {
  const isTyped = (context.stdin as { isTTY?: boolean }).isTTY === true
  const key = (isTyped ? await askTyped(context) : await readPipe(context)).trim()
  if (key === '') throw fail('VID_KEY_MISSING', { problem: isTyped ? 'nothing was typed' : 'stdin is empty' })
  return key
}
