import { defineCommand } from '@vid/command'
import { infoOptions } from './options.ts'

/** `vid container info`. */
export const containerInfoCommand = defineCommand({
  path: 'container info',
  summary: 'Show the container engine and the image that --docker uses.',
  options: infoOptions,
  event: 'container-image',
  async run({ env, signal }) {
    const [{ findEngine }, { inspectImage }, { readRecipe }, { imageFacts }] = await Promise.all([
      import('../engine/find-engine.ts'),
      import('../image/image.ts'),
      import('../image/recipe.ts'),
      import('./image-text.ts'),
    ])
    const engine = await findEngine(env, signal)
    const recipe = await readRecipe()
    const image = recipe && (await inspectImage(engine, recipe.reference, signal))
    return { built: false, ...imageFacts(engine, recipe, image) }
  },
  text: async (image) => (await import('./image-text.ts')).imageText(image),
})
