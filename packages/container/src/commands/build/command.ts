import { defineCommand } from '@vid/command'
import { buildOptions } from '../options.ts'

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
  run: async (run) => (await import('./run.ts')).runContainerBuild(run),
  text: async ({ built, ...image }) => ({
    before: built ? [] : 'the image is there already; --force builds it anew',
    lines: (await import('../image-text.ts')).imageText(image),
  }),
})
