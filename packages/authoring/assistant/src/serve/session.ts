import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { CommandContext } from '@vid/command'
import { createReplyText } from '@vid/server'
import type { Semaphore } from '@vid/system'
import { plainText } from '../answers/plain.ts'
import { callTool, createResults, type Results } from '../calls/call-tool.ts'
import { fail } from '../errors.ts'
import type { Roots } from '../roots/roots.ts'
import { listedTool } from '../tools/listed-tool.ts'
import type { Tool } from '../tools/tool.ts'
import { clientRoots, fixedRoots, type SessionRoots } from './client-roots.ts'
import { instructions } from './instructions.ts'
import { pacedProgress } from './progress.ts'
import { answerReply, errorResult } from './reply.ts'
import { serveResources } from './resources.ts'
import { createTasks, TASK_TTL_MS } from './tasks.ts'

/** What every session of a server shares. */
export interface SessionParts extends Pick<CommandContext, 'unguarded'> {
  readonly tools: readonly Tool[]
  /** The roots that a person has named; undefined where the client names them. */
  readonly roots: Roots | undefined
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly version: string
  readonly slots: Semaphore
}

/** The connection of one client. */
export interface Session {
  readonly server: Server
  connect(transport: Transport): Promise<void>
  /** Aborts when the client has left. */
  readonly gone: AbortSignal
  /** Ends what runs for the client, and waits until nothing of it is left. */
  close(): Promise<void>
}

type Extra = Parameters<Parameters<Server['setRequestHandler']>[1]>[1]

interface CallParts extends SessionParts {
  readonly server: Server
  readonly rootsOf: SessionRoots
  readonly results: Results
}

/** Makes what answers the calls of one client; a call that fails is answered with its error. */
const toolCalls =
  ({ tools, env, slots, server, rootsOf, results, unguarded }: CallParts) =>
  async (params: CallToolRequest['params'], extra: Extra, signal: AbortSignal): Promise<CallToolResult> => {
    let plain = (text: string) => createReplyText().warning({ message: text }).message
    try {
      const tool = tools.find(({ name }) => name === params.name)
      if (!tool) throw fail('VID_TOOL_UNKNOWN', { tool: params.name, known: tools.map(({ name }) => name) })
      const roots = await rootsOf()
      plain = plainText(roots)
      const progressToken = extra._meta?.progressToken
      const onProgress = pacedProgress((notice) => {
        if (progressToken === undefined || signal.aborted) return
        const notification = { method: 'notifications/progress' as const, params: { ...notice, progressToken } }
        // A client that has left is noticed elsewhere.
        extra.sendNotification(notification).catch(() => {})
      })
      const author = (server.getClientVersion()?.name ?? 'assistant').slice(0, 100)
      const caller = { roots, author, results, slots }
      return answerReply(await callTool(tool, params.arguments ?? {}, caller, { env, signal, onProgress, unguarded }))
    } catch (thrown) {
      return errorResult(thrown, signal, plain)
    }
  }

/** Opens the session of one client. */
export const openClientSession = (parts: SessionParts): Session => {
  const { tools, cwd, version } = parts
  const departure = new AbortController()
  const running = new Set<Promise<unknown>>()
  const tasks = createTasks()
  const server = new Server(
    { name: 'vid', version },
    {
      capabilities: { tools: {}, resources: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      instructions,
      taskStore: tasks.store,
    },
  )
  const rootsOf = parts.roots ? fixedRoots(parts.roots) : clientRoots(server, cwd)
  const call = toolCalls({ ...parts, server, rootsOf, results: createResults() })

  const tracked = <T>(work: Promise<T>): Promise<T> => {
    const entry = work.finally(() => running.delete(entry))
    running.add(entry)
    return entry
  }

  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: tools.map(listedTool) }))
  serveResources(server, tools)
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { taskStore } = extra
    if (params.task === undefined || taskStore === undefined)
      return tracked(call(params, extra, AbortSignal.any([extra.signal, departure.signal])))
    const task = await taskStore.createTask({ ttl: params.task.ttl ?? TASK_TTL_MS })
    const signal = AbortSignal.any([tasks.signalOf(task.taskId), departure.signal])
    const store = async () => {
      const result = await call(params, extra, signal)
      if (signal.aborted) return
      await taskStore.storeTaskResult(task.taskId, result.isError ? 'failed' : 'completed', result)
    }
    // Its failures are its result; a task that is forgotten meanwhile needs none.
    void tracked(store().catch(() => {}))
    return { task }
  })
  server.onclose = () => departure.abort()
  server.onerror = () => {}

  const close = async () => {
    departure.abort()
    await Promise.allSettled(running)
    tasks.close()
    await server.close()
  }
  let closing: Promise<void> | undefined
  return {
    server,
    connect: (transport) => server.connect(transport),
    gone: departure.signal,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
