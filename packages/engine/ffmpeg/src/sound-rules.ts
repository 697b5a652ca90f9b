// How the sound of a composition is put together, without files: what a player plays by too.
export { CHANNELS, repeatSound, SAMPLE_RATE, type SoundReader } from './sound/sound-reader.ts'
export { stretchSound } from './sound/sound-stretch.ts'
export { gainAt, type SoundTrack, samplesOf, sideGains } from './sound/sound-track.ts'
