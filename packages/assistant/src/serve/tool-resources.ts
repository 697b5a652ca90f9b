import { fail } from '../errors.ts'
import type { Tool } from '../tools/tool.ts'

const PREFIX = 'vid://tools/'
const TYPE = 'application/schema+json'

/** The schemas of tools as resources: the list of tools has room for their fields alone. */
export const toolResources = (tools: readonly Tool[]) => ({
  list: () =>
    tools.map(({ name, title }) => ({ uri: `${PREFIX}${name}`, name, title: `Schemas of "${title}"`, mimeType: TYPE })),
  read(uri: string) {
    const tool = tools.find(({ name }) => uri === `${PREFIX}${name}`)
    if (!tool)
      throw fail('VID_TOOL_RESOURCE', { uri: uri.slice(0, 200), known: tools.map(({ name }) => `${PREFIX}${name}`) })
    const { inputSchema: input, outputSchema: output } = tool
    return [{ uri, mimeType: TYPE, text: JSON.stringify({ input, output: output ?? null }) }]
  },
})
