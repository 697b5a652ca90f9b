import type { CommandRun } from '@vid/command'
import { findEngine } from '../../engine/find-engine.ts'
import { inspectImage } from '../../image/image.ts'
import { readRecipe } from '../../image/recipe.ts'
import { imageFacts } from '../image-text.ts'
import type { infoOptions } from '../options.ts'

/** `vid container info`: engine and image. */
export const runContainerInfo = async ({ env, signal }: CommandRun<typeof infoOptions>) => {
  const engine = await findEngine(env, signal)
  const recipe = await readRecipe()
  const image = recipe && (await inspectImage(engine, recipe.reference, signal))
  return { built: false, ...imageFacts(engine, recipe, image) }
}
