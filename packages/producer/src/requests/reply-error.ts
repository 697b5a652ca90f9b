import { homedir, tmpdir } from 'node:os'
import { type ReplyError, type VidError, type Warning, withoutCredentials } from '@vid/kernel'
import { fieldOf, withoutFolders } from '@vid/server'

/** Errors whose message is the text of a program, which may say anything. */
const FOREIGN_TEXT: ReadonlySet<string> = new Set(['VID_PLUGIN_FAILED', 'VID_UNEXPECTED'])

/** Words errors and warnings for clients: without paths of the server; what plugins and programs wrote stays in its log. */
export const createWording = (folders: readonly string[]) => {
  const own = [...folders, tmpdir(), process.cwd(), homedir()]
  const clean = (text: string) => withoutCredentials(withoutFolders(text, own))
  const describe = (error: VidError): { readonly message: string; readonly hint: string } =>
    FOREIGN_TEXT.has(error.code)
      ? {
          message: `${error.plugin ?? 'the server'} failed`,
          hint: "the server's log has the reason, under the id of the request",
        }
      : { message: clean(error.message), hint: clean(error.hint) }
  return {
    describe,
    /** An error as replies and events carry it. */
    replyError(error: VidError): ReplyError {
      const field = fieldOf(error)
      const { message, hint } = describe(error)
      return {
        code: error.code,
        message,
        ...(field !== undefined && { field }),
        ...(hint !== '' && { hint }),
        fault: error.fault,
      }
    },
    warning: (warning: Warning): Warning => ({ ...warning, message: clean(warning.message) }),
  }
}

/** Words errors and warnings for clients. */
export type Wording = ReturnType<typeof createWording>
