import { lateSignal } from './late-signal.ts'

/** How a render on another machine is followed. */
export interface RemoteWatch<State> {
  /** Ends the wait. */
  readonly signal: AbortSignal
  onState?(state: State): void
  /** Called with an error after which the other side is asked again. */
  onTrouble?(error: unknown): void
}

/** A render on another machine. */
export interface RemoteRender<Handle, State, End> {
  /** Starts it; the signal aborts late, since a render without a handle would continue unnoticed. */
  submit(signal: AbortSignal): Promise<Handle>
  /** Resolves when it has succeeded, and rejects with the reason of the other side when it has not. */
  follow(handle: Handle, watch: RemoteWatch<State>): Promise<End>
  /** Ends it on the other side. */
  cancel(handle: Handle, signal: AbortSignal): Promise<unknown>
  /** Whether it has ended there with this error, or cannot be reached, so that `cancel` is of no use. */
  isOver(error: unknown): boolean
}

/** What is reported of a render on another machine. */
export interface RemoteObserver<Handle, State> extends RemoteWatch<State> {
  onAccepted(handle: Handle): void
}

/** Time limit for cancelling a render that is no longer awaited. */
const CANCEL_MS = 4000

/** Starts a render and follows it to its end; whatever ends the wait early cancels the render there. */
export const renderRemotely = async <Handle, State, End>(
  render: RemoteRender<Handle, State, End>,
  { onAccepted, ...watch }: RemoteObserver<Handle, State>,
): Promise<End> => {
  const { signal } = watch
  const late = lateSignal(signal, CANCEL_MS)
  const handle = await render.submit(late.signal).finally(late.end)
  try {
    onAccepted(handle)
    signal.throwIfAborted()
    return await render.follow(handle, watch)
  } catch (thrown) {
    // Where the other side cannot be reached, the render goes on there.
    if (!render.isOver(thrown)) await render.cancel(handle, AbortSignal.timeout(CANCEL_MS)).catch(() => {})
    throw thrown
  }
}
