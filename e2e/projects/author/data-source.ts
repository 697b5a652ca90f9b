import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { definePlugin, Type } from '@vid/kernel'

/** Takes variables from a file of the project; what a flag says stands. */
export default definePlugin({
  name: '@acme/vid-data-source',
  options: Type.Object({ file: Type.String() }),
  setup(hooks, { options }) {
    hooks.resolve.tapPromise('@acme/vid-data-source', async (variables, { request, signal }) => {
      const text = await readFile(join(request.projectDir, options.file), { encoding: 'utf8', signal })
      return { ...(JSON.parse(text) as Record<string, unknown>), ...variables }
    })
  },
})
