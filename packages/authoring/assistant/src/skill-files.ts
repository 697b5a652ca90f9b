import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { digestOf } from '@vid/system'

/** The skills of this version; the path is the same from the sources and from the build. */
const SKILLS = fileURLToPath(new URL('../skills/', import.meta.url))

const MARK = /\n<!-- vid (\S+), sha256 ([0-9a-f]{64}) -->\n$/

/** The skills of the installed version by their paths, each with a last line by which a later version knows its own text. */
export const skillFiles = async (version: string): Promise<ReadonlyMap<string, string>> => {
  const entries = await readdir(SKILLS, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(SKILLS.length).replace(/^\//, ''))
  const texts = await Promise.all(
    paths.sort().map(async (path) => {
      const text = await readFile(`${SKILLS}/${path}`, 'utf8')
      return [path, `${text}\n<!-- vid ${version}, sha256 ${digestOf(text)} -->\n`] as const
    }),
  )
  return new Map(texts)
}

/** Whether a skill is as a version of vid wrote it: no person has changed it. */
export const isUnchangedSkill = (text: string): boolean => {
  const [mark = '', , digest] = MARK.exec(text) ?? []
  return mark !== '' && digestOf(text.slice(0, -mark.length)) === digest
}
