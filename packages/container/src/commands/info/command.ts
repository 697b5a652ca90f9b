import { defineCommand } from '@vid/command'
import { infoOptions } from '../options.ts'

/** `vid container info`. */
export const containerInfoCommand = defineCommand({
  path: 'container info',
  summary: 'Show the container engine and the image that --docker uses.',
  options: infoOptions,
  event: 'container-image',
  run: async (run) => (await import('./run.ts')).runContainerInfo(run),
  text: async (image) => (await import('../image-text.ts')).imageText(image),
})
