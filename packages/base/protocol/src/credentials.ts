/** What stands between the addresses of a text. */
const WORD = /[^\s"'<>\\`]+/g
const SECRET = /([&#;](?:x-amz-[\w-]{1,60}|\w{0,60}?(?:signature|sig|token|key|secret|password))=)[^&]+/gi
const HEADER = /("(?:proxy-)?authorization"|"(?:set-)?cookie")\s*:\s*"(?:[^"\\]|\\.)*"/gi

/** A word without the user name and password of its address. */
const withoutUser = (word: string): string => {
  const start = word.indexOf('://') + 3
  if (start < 4) return word
  const [authority = ''] = word.slice(start).split(/[/?#]/, 1)
  return word.slice(0, start) + word.slice(start + authority.lastIndexOf('@') + 1)
}

/** A word without its query: of every address with a scheme, and of a path where the query names a value. */
const withoutQuery = (word: string): string => {
  const mark = word.indexOf('?')
  if (mark < 1 || mark === word.length - 1) return word
  const isQuery = word.lastIndexOf('://', mark) > 0 || /^\?[^=?&]+=/.test(word.slice(mark, mark + 200))
  if (!isQuery) return word
  const end = /[:.,;)\]]{1,3}$/.exec(word.slice(-3))?.[0] ?? ''
  return `${word.slice(0, mark)}?…${end}`
}

const plainWord = (word: string): string => {
  // Most words are no addresses; media inlined as base64 text is long, and none either.
  if (!/[?#&@;]/.test(word) || word.startsWith('data:')) return word
  return withoutQuery(withoutUser(word)).replace(SECRET, '$1…')
}

/** A text without the credentials that addresses and headers in it may carry; every query is cut, signed or not. */
export const withoutCredentials = (text: string): string => text.replace(HEADER, '$1:"…"').replace(WORD, plainWord)
