import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** Files whose text can declare an address. */
const TEXTS = new Set(
  'html htm xhtml css js mjs json svg xml vtt srt csv txt webmanifest'.split(' ').map((name) => `.${name}`),
)

/** Bounds of what is read of a project; a larger file is data rather than somebody's text. */
const MAX_FILE_BYTES = 16 * 2 ** 20
const MAX_FILES = 10_000

/** An address with a scheme, or that of the page; where it ends depends on the language around it. */
const ADDRESS = /(?:https?:)?\/\/[^\s"'`<>]+/gi

/** Characters that may end an address or be a part of it. */
const MAY_END = /[),;}\]]/g

/** Relative references of style sheets and modules. */
const REFERENCES = [
  /url\(\s*["']?([^"')]+)/gi,
  /@import\s+["']([^"']+)/gi,
  /\b(?:from|import)\s*(?:\(\s*)?["']([^"']+)/g,
]

/** One spelling for all that mean the same; undefined for what is no web address. */
export const normalAddress = (text: string, base?: string): string | undefined => {
  if (!URL.canParse(text, base)) return undefined
  const url = new URL(text, base)
  url.hash = ''
  return /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** Undoes what JSON, scripts and markup do to the characters of an address. */
const unescaped = (text: string): string => text.replaceAll('\\/', '/').replace(/&(?:amp|#38|#x26);|\\u0026/gi, '&')

/** Bound of the places where one address may end: what goes on is data, and each of them is a text of its own. */
const MAX_ENDINGS = 64

const endings = (address: string): string[] => {
  const texts = [address]
  for (const { index } of address.matchAll(MAY_END)) {
    if (texts.length > MAX_ENDINGS) break
    texts.push(address.slice(0, index))
  }
  return texts
}

/** Every address that stands in a text as a whole; `base` is the text's own, if its relative references count. */
export const addressesIn = (text: string, base?: string): Set<string> => {
  const plain = unescaped(text)
  const candidates = [...plain.matchAll(ADDRESS)].flatMap(([address]) => endings(address))
  const relative = base === undefined ? [] : REFERENCES.flatMap((rule) => [...plain.matchAll(rule)])
  const names = [...candidates, ...relative.map(([, name = '']) => name)]
  const addresses = names.map((name) => normalAddress(name, base ?? 'http://localhost'))
  return new Set(addresses.filter((address) => address !== undefined))
}

const isRead = (name: string) => !name.startsWith('.') && name !== 'node_modules'

/** Text files of a folder, without hidden ones, packages and links. */
async function* textFiles(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!isRead(entry.name)) continue
    if (entry.isDirectory()) yield* textFiles(path)
    else if (entry.isFile() && TEXTS.has(extname(entry.name).toLowerCase())) yield path
  }
}

/** Every address that stands in the text files of a project. */
export const declaredAddresses = async (projectDir: string): Promise<Set<string>> => {
  const declared = new Set<string>()
  let files = 0
  for await (const path of textFiles(projectDir)) {
    if (++files > MAX_FILES) break
    if ((await stat(path)).size > MAX_FILE_BYTES) continue
    for (const address of addressesIn(await readFile(path, 'utf8'))) declared.add(address)
  }
  return declared
}
