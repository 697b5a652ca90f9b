export { type Live, openLive } from './live/open-live.ts'
export { readLiveScript } from './live-script.ts'
