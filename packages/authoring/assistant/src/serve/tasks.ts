import type { TaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js'
import { fail } from '../errors.ts'

/** Tasks of one session, which end with it. */
export interface SessionTasks {
  readonly store: TaskStore
  /** The signal of a task: aborts when the client cancels it. */
  signalOf(taskId: string): AbortSignal
  /** Forgets every task. */
  close(): void
}

/** Milliseconds for which a result can be fetched, where the client does not say. */
export const TASK_TTL_MS = 30 * 60_000

/** Tasks that one client may have at once. */
const MAX_TASKS = 16

/** Keeps the tasks of one session. */
export const createTasks = (): SessionTasks => {
  const memory = new InMemoryTaskStore()
  const running = new Map<string, AbortController>()
  return {
    store: {
      async createTask(params, requestId, request, sessionId) {
        if (running.size >= MAX_TASKS)
          throw fail('VID_TOOL_ARGUMENTS', {
            tool: 'tasks',
            problems: [`${running.size} tasks run already; wait for one, or cancel it`],
          })
        const task = await memory.createTask(params, requestId, request, sessionId)
        running.set(task.taskId, new AbortController())
        return task
      },
      getTask: (taskId, sessionId) => memory.getTask(taskId, sessionId),
      getTaskResult: (taskId, sessionId) => memory.getTaskResult(taskId, sessionId),
      listTasks: (cursor, sessionId) => memory.listTasks(cursor, sessionId),
      async storeTaskResult(taskId, status, result, sessionId) {
        running.delete(taskId)
        await memory.storeTaskResult(taskId, status, result, sessionId)
      },
      async updateTaskStatus(taskId, status, message, sessionId) {
        await memory.updateTaskStatus(taskId, status, message, sessionId)
        if (status !== 'cancelled') return
        running.get(taskId)?.abort()
        running.delete(taskId)
      },
    },
    signalOf: (taskId) => (running.get(taskId) ?? new AbortController()).signal,
    close: () => memory.cleanup(),
  }
}
