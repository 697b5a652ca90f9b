/** What every read task takes: the file that errors about its time and memory name, and more plain data. */
export interface ReadInput {
  readonly entry: string
}

/** A function that reads texts which may be those of strangers, from plain data to plain data: any thread can run it. */
export interface ReadTask<I extends ReadInput, O> {
  /** Address of the built module that exports this task under its name. */
  readonly module: string
  readonly name: string
  do(input: I, signal: AbortSignal): Promise<O>
}

/** Runs a read task somewhere; rejects with its error. */
export type Reading = <I extends ReadInput, O>(task: ReadTask<I, O>, input: I, signal: AbortSignal) => Promise<O>

/** Runs read tasks in this thread, as a process does that renders its own compositions. */
export const readHere: Reading = (task, input, signal) => task.do(input, signal)

/** The maker of read tasks of a package, which exports all of them from `read-tasks.ts`; `url` is that of any of its modules. */
export const readTasksOf = (url: string) => {
  const end = Math.max(url.lastIndexOf('/src/'), url.lastIndexOf('/dist/'))
  const module = `${url.slice(0, end)}/dist/read-tasks.js`
  return <I extends ReadInput, O>(name: string, read: ReadTask<I, O>['do']): ReadTask<I, O> => ({
    module,
    name,
    do: read,
  })
}
