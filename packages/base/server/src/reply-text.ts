import { homedir, tmpdir } from 'node:os'
import { type ReplyError, type VidError, withoutCredentials } from '@vid/protocol'

/** The text of an error for a client. */
export interface ClientErrorText {
  readonly message: string
  readonly hint?: string | undefined
}

/** Errors whose message comes from another program and may contain anything. */
const FOREIGN_TEXT: ReadonlySet<string> = new Set(['VID_PLUGIN_FAILED', 'VID_UNEXPECTED'])

const PATH_END = /[\s"'`<>:;,()|]/g

/** Shortens paths below a folder to their last name. */
const withoutFolder = (text: string, folder: string): string => {
  const pieces: string[] = []
  let end = 0
  for (let index = text.indexOf(folder); index >= 0; index = text.indexOf(folder, end)) {
    PATH_END.lastIndex = index + folder.length
    const pathEnd = PATH_END.exec(text)?.index ?? text.length
    const path = text.slice(index, pathEnd).replace(/(?<!\/)\/+$/, '')
    pieces.push(text.slice(end, index), `…${path.slice(path.lastIndexOf('/'))}`)
    end = pathEnd
  }
  return pieces.join('') + text.slice(end)
}

/** Shortens paths below some folders to their last name. */
const withoutFolders = (text: string, folders: readonly string[]): string =>
  folders.filter((path) => path.length > 1).reduce(withoutFolder, text)

/** Longest text of a reply, in characters: a message may quote a value of any length from a composition. */
const MAX_CHARACTERS = 4000

/** Leaves out the middle of a text that is too long: what is wrong stands at either end of what it quotes. */
const shortened = (text: string): string => {
  if (text.length <= MAX_CHARACTERS) return text
  const half = MAX_CHARACTERS / 2
  // Half a character at a cut is no text that a client could read.
  const whole = (part: string) => part.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/, '')
  return `${whole(text.slice(0, half))} … ${whole(text.slice(-half))}`
}

/** A text without NUL and half characters, which a page may write: databases and many clients refuse them. */
const wholeText = (text: string): string => text.replaceAll('\0', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd')

/** Message and hint as one text. */
export const inOneText = ({ message, hint = '' }: ClientErrorText): string => {
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
  words: (error: VidError) => ClientErrorText | undefined = () => undefined,
) => {
  const clean = (text: string) =>
    wholeText(shortened(withoutCredentials(withoutFolders(text, [...folders, tmpdir(), process.cwd(), homedir()]))))
  const describe = (error: VidError): ClientErrorText => {
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
    warning<W extends ClientErrorText>(warning: W): W {
      const { message, hint } = warning
      return { ...warning, message: clean(message), ...(hint !== undefined && { hint: clean(hint) }) }
    },
  }
}

/** Creates texts for clients. */
export type ReplyText = ReturnType<typeof createReplyText>
