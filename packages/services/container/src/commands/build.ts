import { defineCommand } from '@vid/command'
import { buildOptions } from './options.ts'

/** `vid container build`. */
export const containerBuildCommand = defineCommand({
  path: 'container build',
  summary: 'Build the image that --docker renders in.',
  details:
    'Builds with Docker or Podman, whichever answers first; VID_CONTAINER_ENGINE names another. An existing image is not built again.',
  options: buildOptions,
  examples: [
    ['Once, before the first render', 'vid container build'],
    ['On another base', 'vid container build --base-image registry.example.com/debian:bookworm-slim'],
  ],
  event: 'container-image',
  async run({ env, signal, stderr, json, options }) {
    const [{ findEngine }, { buildImage }, { inspectImage }, { requireRecipe }, { imageFacts }] = await Promise.all([
      import('../engine/find-engine.ts'),
      import('../image/build-image.ts'),
      import('../image/image.ts'),
      import('../image/recipe.ts'),
      import('./image-text.ts'),
    ])
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
  },
  text: async ({ built, ...image }) => ({
    before: built ? [] : 'the image exists already; --force builds it again',
    lines: (await import('./image-text.ts')).imageText(image),
  }),
})
