import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bundledFamilies } from './bundled-families.ts'
import { type CodeRange, readCodePoints } from './font-glyphs.ts'

/** One file of a bundled family. */
export interface FontFile {
  /** Absolute. */
  readonly path: string
  readonly weight: number
  readonly italic: boolean
}

/** A bundled family with its files, the names that it replaces, and the characters that it has glyphs for. */
export interface FontFamily {
  readonly family: string
  readonly aliases: readonly string[]
  readonly files: readonly FontFile[]
  readonly ranges: readonly CodeRange[]
}

/** Folders of the packages are named by weight, such as `700Bold_Italic`. */
const STYLE = /^([1-9]00)[A-Za-z]+?(_Italic)?$/

const readFamily = async (carrier: string): Promise<Pick<FontFamily, 'files' | 'ranges'>> => {
  const folder = dirname(createRequire(import.meta.url).resolve(`${carrier}/package.json`))
  const styles = (await readdir(folder)).flatMap((name) => {
    const [, weight, italic] = STYLE.exec(name) ?? []
    return weight === undefined ? [] : [{ name, weight: Number(weight), italic: italic !== undefined }]
  })
  const files = await Promise.all(
    styles.map(async ({ name, weight, italic }) => {
      const file = (await readdir(join(folder, name))).find((entry) => entry.endsWith('.ttf')) ?? ''
      return { path: join(folder, name, file), weight, italic }
    }),
  )
  const regular = files.find(({ weight, italic }) => weight === 400 && !italic)
  return { files, ranges: regular ? await readCodePoints(regular.path) : [] }
}

/** The bundled families as a browser that lacks them can load them. */
export const readFontFamilies = (): Promise<FontFamily[]> =>
  Promise.all(
    bundledFamilies.map(async ({ family, carrier, aliases }) => ({
      family,
      aliases,
      ...(await readFamily(carrier)),
    })),
  )
