export { checkAvailable } from './check-available.ts'
export { lateSignal } from './late-signal.ts'
export { type LeftBehindWords, leftBehindWarnings, type RemoteProject } from './left-behind.ts'
export { type RemoteObserver, type RemoteRender, type RemoteWatch, renderRemotely } from './render-remotely.ts'
