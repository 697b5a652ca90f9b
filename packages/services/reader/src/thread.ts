import type { ReadInput, ReadTask } from '@vid/kernel'
import { type SentError, sendError } from './sent-error.ts'

/** A read task that a thread is asked to do: it finds the task itself by module and name. */
export interface SentTask extends Pick<ReadTask<ReadInput, unknown>, 'module' | 'name'> {
  readonly input: ReadInput
}

/** What a thread answers. */
export type ReadReply = { readonly value: unknown } | { readonly error: SentError }

/** What aborts a task ends its thread. */
const { signal } = new AbortController()

/** Does one task of a thread; what is thrown comes back as data. */
export default async ({ module, name, input }: SentTask): Promise<ReadReply> => {
  try {
    const tasks = (await import(module)) as Readonly<Record<string, ReadTask<ReadInput, unknown>>>
    const task = tasks[name]
    if (!task) throw new Error(`${module} has no read task "${name}"`)
    return { value: await task.do(input, signal) }
  } catch (thrown) {
    return { error: sendError(thrown) }
  }
}
