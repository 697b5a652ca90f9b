import { homedir, tmpdir } from 'node:os'
import { type VidError, type Warning, withoutCredentials } from '@vid/kernel'
import { withoutFolders } from '@vid/server'
import type { Failure } from '../queue/endings.ts'

/** Errors whose message is the text of a program, which may say anything. */
const FOREIGN_TEXT: ReadonlySet<string> = new Set(['VID_PLUGIN_FAILED', 'VID_UNEXPECTED'])

/** Words failures and warnings for clients, without paths of this machine. */
export const createWording = (folders: readonly string[]) => {
  const own = [...folders, tmpdir(), process.cwd(), homedir()]
  const clean = (text: string) => withoutCredentials(withoutFolders(text, own))
  return {
    failure({ code, message, hint, plugin }: VidError): Failure {
      if (FOREIGN_TEXT.has(code))
        return { code, message: `${plugin ?? 'the server'} failed; the log of the server has the reason` }
      return { code, message: clean(hint ? `${message}; ${hint}` : message) }
    },
    warning: (warning: Warning): Warning => ({
      ...warning,
      message: clean(warning.message),
      ...(warning.hint !== undefined && { hint: clean(warning.hint) }),
    }),
  }
}

/** Words failures and warnings for clients. */
export type Wording = ReturnType<typeof createWording>
