export { type Live, openLive } from './live/open-live.ts'
