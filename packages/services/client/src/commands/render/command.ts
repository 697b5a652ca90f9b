import { defineCommand } from '@vid/command'
import { cloudRenderConflicts, cloudRenderNeeds, cloudRenderOptions } from './options.ts'
import { cloudRenderProblems } from './problems.ts'

/** `vid cloud render [dir]`. */
export const cloudRenderCommand = defineCommand({
  path: 'cloud render',
  summary: 'Render a composition on a hosted API.',
  details:
    'Sends a folder (default: the current one) as a zip, waits for the video, fetches it, and prints its path. HOST_API_URL is the address of the API, http://127.0.0.1:9848 if it is not set.',
  arguments: [{ name: 'dir', isOptional: true }],
  options: cloudRenderOptions,
  examples: [
    ['The folder "intro"', 'vid cloud render intro'],
    ['Without waiting', 'vid cloud render intro --no-wait --callback-url https://example.com/rendered'],
  ],
  conflicts: cloudRenderConflicts,
  needs: cloudRenderNeeds,
  check: ({ arguments: { dir }, options }) => cloudRenderProblems(dir, options),
  run: async (run) => (await import('./run.ts')).runCloudRender(run),
})
