import { lateSignal } from './late-signal.ts'

/** How a remote render is followed. */
export interface RemoteWatch<State> {
  /** Ends the wait. */
  readonly signal: AbortSignal
  onState?(state: State): void
  /** Called with an error after which polling continues. */
  onTrouble?(error: unknown): void
}

/** A remote render. */
export interface RemoteRender<Handle, State, End> {
  /** Starts it. The signal aborts late, because a render without a handle would continue unnoticed. */
  submit(signal: AbortSignal): Promise<Handle>
  /** Resolves when the render has succeeded; rejects with the other side's reason if it failed. */
  follow(handle: Handle, watch: RemoteWatch<State>): Promise<End>
  /** Cancels it on the other side. */
  cancel(handle: Handle, signal: AbortSignal): Promise<unknown>
  /** Whether the error means that it has ended there or cannot be reached, so that `cancel` is useless. */
  isOver(error: unknown): boolean
}

/** Receives reports about a remote render. */
export interface RemoteObserver<Handle, State> extends RemoteWatch<State> {
  onAccepted(handle: Handle): void
}

/** Time limit for cancelling a render that is no longer awaited. */
const CANCEL_MS = 4000

/** Starts a remote render and follows it to its end; if the wait ends early, cancels the render. */
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
    // If the other side cannot be reached, the render continues there.
    if (!render.isOver(thrown)) await render.cancel(handle, AbortSignal.timeout(CANCEL_MS)).catch(() => {})
    throw thrown
  }
}
