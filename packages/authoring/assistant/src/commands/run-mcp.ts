import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type CommandLists, type CommandRun, stopped } from '@vid/command'
import { createSemaphore } from '@vid/system'
import { openRoots } from '../roots/roots.ts'
import { serveHttp } from '../serve/http.ts'
import { takeStdout } from '../serve/protocol-stdout.ts'
import type { SessionParts } from '../serve/session.ts'
import { serveStdio } from '../serve/stdio.ts'
import { makeTools } from '../tools/tool.ts'
import { assistantVersion } from '../version.ts'
import type { mcpOptions } from './mcp-options.ts'

type Run = CommandRun<typeof mcpOptions, { readonly root: readonly string[] }>

/** Commands that run at once, of all clients: each may have a browser and an encoder. */
const MAX_RUNNING = 2

/** `vid mcp`: serves tools until the client leaves, or the command is stopped. */
export const runMcp = async (run: Run, lists: CommandLists): Promise<void> => {
  const { cwd, env, signal, options, report, unguarded } = run
  const named = run.arguments.root
  const parts: SessionParts = {
    tools: await makeTools(await lists.all(run, { config: false })),
    roots: named.length > 0 || options.http ? await openRoots(named, cwd) : undefined,
    cwd,
    env,
    unguarded,
    version: await assistantVersion(),
    slots: createSemaphore(MAX_RUNNING),
  }
  if (!options.http) {
    await serveStdio(parts, { stdin: run.stdin as Readable, stdout: takeStdout(), signal })
    return
  }
  const token = env.VID_MCP_TOKEN ?? randomBytes(24).toString('base64url')
  const server = await serveHttp(parts, { port: options.port ?? 0, token })
  try {
    const url = `${server.url}/mcp`
    report.event({ type: 'mcp-start', url, port: server.port, token })
    report.result(`mcp: ${url}`)
    report.result(`token: ${token}`)
    report.note('Ctrl-C ends it')
    await stopped(signal)
  } finally {
    await server.close()
  }
}
