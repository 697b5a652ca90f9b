import { homedir, tmpdir } from 'node:os'
import { type ReplyError, type VidError, withoutCredentials } from '@vid/kernel'

/** What a client learns of an error. */
export interface ErrorText {
  readonly message: string
  readonly hint?: string | undefined
}

/** Errors whose message is the text of a program, which may say anything. */
const FOREIGN_TEXT: ReadonlySet<string> = new Set(['VID_PLUGIN_FAILED', 'VID_UNEXPECTED'])

const PATH_END = /[\s"'`<>:;,()|]/

/** A text in which paths below some folders are cut to the last name. */
const withoutFolders = (text: string, folders: readonly string[]): string => {
  for (const folder of folders.filter((path) => path.length > 1)) {
    for (let index = text.indexOf(folder); index >= 0; index = text.indexOf(folder, index + 1)) {
      const rest = text.slice(index + folder.length)
      const length = folder.length + (rest.search(PATH_END) < 0 ? rest.length : rest.search(PATH_END))
      const name = text.slice(index, index + length).replace(/\/+$/, '')
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

/** The field that an error is about: the one that it names, or the first that its problems begin with. */
export const fieldOf = ({ facts: { field, problems } }: VidError): string | undefined => {
  if (typeof field === 'string') return field
  const [first] = Array.isArray(problems) ? (problems as readonly unknown[]) : []
  const name = typeof first === 'string' ? /^([A-Za-z][\w.]*) /.exec(first)?.[1] : undefined
  return name === 'it' ? undefined : name
}

/**
 * Words what clients read of errors, warnings and findings: without paths below `folders` or this process's own folders,
 * and without credentials. What plugins and programs wrote stays in the log. `words` gives those of errors that have
 * others for clients.
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
    /** An error as replies and events carry it. */
    replyError(error: VidError): ReplyError {
      const { code, fault } = error
      const field = fieldOf(error)
      const { message, hint = '' } = describe(error)
      return { code, message, ...(field !== undefined && { field }), ...(hint !== '' && { hint }), fault }
    },
    /** A warning or a finding, with all that it says. */
    warning<W extends ErrorText>(warning: W): W {
      const { message, hint } = warning
      return { ...warning, message: clean(message), ...(hint !== undefined && { hint: clean(hint) }) }
    },
  }
}

/** Words what clients read. */
export type ReplyText = ReturnType<typeof createReplyText>
