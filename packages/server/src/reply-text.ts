import { homedir, tmpdir } from 'node:os'
import { type ReplyError, type VidError, withoutCredentials } from '@vid/kernel'

/** The text of an error for a client. */
export interface ErrorText {
  readonly message: string
  readonly hint?: string | undefined
}

/** Errors whose message comes from another program and may contain anything. */
const FOREIGN_TEXT: ReadonlySet<string> = new Set(['VID_PLUGIN_FAILED', 'VID_UNEXPECTED'])

const PATH_END = /[\s"'`<>:;,()|]/

/** Shortens paths below some folders to their last name. */
const withoutFolders = (text: string, folders: readonly string[]): string => {
  for (const folder of folders.filter((path) => path.length > 1)) {
    for (let index = text.indexOf(folder); index >= 0; index = text.indexOf(folder, index + 1)) {
      const rest = text.slice(index + folder.length)
      const length = folder.length + (rest.search(PATH_END) < 0 ? rest.length : rest.search(PATH_END))
      const name = text.slice(index, index + length).replace(/(?<!\/)\/+$/, '')
      text = `${text.slice(0, index)}…${name.slice(name.lastIndexOf('/'))}${text.slice(index + length)}`
    }
  }
  return text
}

/** Message and hint as one text. */
export const inOneText = ({ message, hint = '' }: ErrorText): string => {
  if (hint === '') return message
  return message.endsWith('.') ? `${message} ${hint}` : `${message}; ${hint}`
}

/** The field of an error: the one that it names, or the field of its first problem. */
export const fieldOf = ({ facts: { field, problems } }: VidError): string | undefined => {
  if (typeof field === 'string') return field
  const [first] = Array.isArray(problems) ? (problems as readonly unknown[]) : []
  const name = typeof first === 'string' ? /^([A-Za-z][\w.]*) /.exec(first)?.[1] : undefined
  return name === 'it' ? undefined : name
}

/**
 * Creates the texts of errors, warnings and findings for clients: without paths below `folders` or this process's own
 * folders, and without credentials. Output of plugins and programs stays in the log. `words` returns the text of errors
 * that have a special one for clients.
 */
export const createReplyText = (
  folders: readonly string[] = [],
  words: (error: VidError) => ErrorText | undefined = () => undefined,
) => {
  const clean = (text: string) =>
    withoutCredentials(withoutFolders(text, [...folders, tmpdir(), process.cwd(), homedir()]))
  const describe = (error: VidError): ErrorText => {
    const serverWords = words(error)
    if (serverWords) return serverWords
    if (FOREIGN_TEXT.has(error.code))
      return {
        message: `${error.plugin ?? 'The server'} failed.`,
        hint: 'The log of the server has the reason.',
      }
    return { message: clean(error.message), hint: clean(error.hint) }
  }
  return {
    describe,
    /** An error in the form of replies and events. */
    replyError(error: VidError): ReplyError {
      const { code, fault } = error
      const field = fieldOf(error)
      const { message, hint = '' } = describe(error)
      return { code, message, ...(field !== undefined && { field }), ...(hint !== '' && { hint }), fault }
    },
    /** A warning or a finding with all its fields. */
    warning<W extends ErrorText>(warning: W): W {
      const { message, hint } = warning
      return { ...warning, message: clean(message), ...(hint !== undefined && { hint: clean(hint) }) }
    },
  }
}

/** Creates texts for clients. */
export type ReplyText = ReturnType<typeof createReplyText>
