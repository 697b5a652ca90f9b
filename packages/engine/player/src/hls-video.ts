// What plays HLS, with hls.js: a file of its own, which is loaded for a video alone.

export { openVideo } from './video/open-video.ts'
export { type HlsOpening, type HlsVideo, playHls } from './video/play-hls.ts'
