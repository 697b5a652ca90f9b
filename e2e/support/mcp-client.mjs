// A client of vid mcp that checks a composition and never answers anybody: a test kills it. Prints the id of its server.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const [command, folder] = process.argv.slice(2)
const client = new Client({ name: 'killed', version: '1' })
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [command, 'mcp'],
  cwd: folder,
  env: { ...process.env },
})
await client.connect(transport)
console.log(transport.pid)
await client.callTool({ name: 'check', arguments: {} }, undefined, { timeout: 600_000 })
console.log('answered')
