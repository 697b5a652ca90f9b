import type { CommandRun } from '@vid/command'
import { findEngine } from '../../engine/find-engine.ts'
import { buildImage } from '../../image/build-image.ts'
import { inspectImage } from '../../image/image.ts'
import { requireRecipe } from '../../image/recipe.ts'
import { imageFacts } from '../image-text.ts'
import type { buildOptions } from '../options.ts'

/** `vid container build`: builds the image unless it is there. */
export const runContainerBuild = async ({ env, signal, stderr, json, options }: CommandRun<typeof buildOptions>) => {
  const isSilent = json || options.quiet === true
  const engine = await findEngine(env, signal)
  const recipe = await requireRecipe()
  const existing = options.force ? undefined : await inspectImage(engine, recipe.reference, signal)
  if (!existing)
    await buildImage(engine, recipe, {
      env,
      signal,
      baseImage: options['base-image'],
      isFresh: options.force,
      onText: (text) => void (isSilent || stderr.write(text)),
    })
  const image = existing ?? (await inspectImage(engine, recipe.reference, signal))
  return { built: !existing, ...imageFacts(engine, recipe, image) }
}
