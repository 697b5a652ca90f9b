export { speechErrors } from './errors.ts'
export { type SpokenSound, speakText, type TextToSpeak } from './speak.ts'
export { type SpeechCall, type SpokenFile, type TranscribedFile, transcribeFile } from './transcribe.ts'
