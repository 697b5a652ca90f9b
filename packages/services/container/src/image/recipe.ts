import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson, Type } from '@vid/protocol'
import { fail } from '../errors.ts'
import { isMatching } from '../matching.ts'
import { RECIPE_FOLDER } from '../recipe-folder.ts'

const RecipeSchema = Type.Object({
  /** Of vid. */
  version: Type.String({ minLength: 1 }),
  /** SHA-256 (hex) of everything that the image is made from. */
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

/** What the image is built from. */
export interface Recipe {
  /** Absolute folder with the Dockerfile, the lockfile and, in a checkout, the packages. */
  readonly folder: string
  readonly version: string
  readonly digest: string
  /** Name and tag of the image: another one for every other content. */
  readonly reference: string
}

/** Reads the recipe of the image; undefined without one, as in a checkout that has not written it. */
export const readRecipe = async (folder: string = RECIPE_FOLDER): Promise<Recipe | undefined> => {
  const text = await readFile(join(folder, 'recipe.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const recipe = parseJson(text)
  if (!isMatching(RecipeSchema, recipe)) return undefined
  const { version, digest } = recipe
  return { folder, version, digest, reference: `localhost/vid:${version}-${digest.slice(0, 12)}` }
}

/** Reads the recipe of the image, or fails because there is none. */
export const requireRecipe = async (folder?: string): Promise<Recipe> => {
  const recipe = await readRecipe(folder)
  if (recipe) return recipe
  const reason = 'there is nothing to build it from'
  throw fail('VID_CONTAINER_IMAGE_MISSING', { image: 'of this vid', reason })
}
