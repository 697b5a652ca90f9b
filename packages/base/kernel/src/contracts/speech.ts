/** A word with the time in which it is spoken, in seconds of the sound. */
export interface TimedWord {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** A passage of a transcript, in seconds of the sound. */
export interface TranscriptCue {
  readonly start: number
  readonly end: number
  readonly text: string
  /** In their order; each is a part of the text. */
  readonly words?: readonly TimedWord[]
  readonly speaker?: string
}

/** What is spoken in a sound. */
export interface Transcript {
  /** By start. */
  readonly cues: readonly TranscriptCue[]
  /** BCP 47 tag, such as `en` or `pt-BR`. */
  readonly language?: string
}

/** Passed to every function of a transcriber and a speaker. */
export interface SpeechContext<O = Record<string, unknown>> {
  readonly options: O
  readonly signal: AbortSignal
  /** Absolute empty folder of this call, which is removed after it. */
  readonly workDir: string
}

/** A sound to transcribe. */
export interface TranscriptionJob {
  /** Absolute path of a wav: 16 kHz, mono, 16 bits. It must not be changed. */
  readonly file: string
  /** BCP 47 tag of the language that is spoken; left out to recognise it. */
  readonly language?: string
}

/** A text to speak. */
export interface SpeakingJob {
  readonly text: string
  /** BCP 47 tag. */
  readonly language?: string
  /** Absolute path of the sound to write, in any format that ffmpeg reads. */
  readonly path: string
}

/** A text that was spoken. */
export interface SpokenText {
  /** In the order of the text, of which each is a part; left out where their times are unknown. */
  readonly words?: readonly TimedWord[]
}

interface SpeechDefinition<O> {
  /**
   * Identity of what does the work, where options and version of the plugin do not name it, such as the date of a
   * model's file: a result is used again while it stays the same.
   */
  build?(context: SpeechContext<O>): Promise<string>
}

/** Finds the words in a sound, and their times. */
export interface TranscriberDefinition<O> extends SpeechDefinition<O> {
  transcribe(job: TranscriptionJob, context: SpeechContext<O>): Promise<Transcript>
}

/** Speaks a text. */
export interface SpeakerDefinition<O> extends SpeechDefinition<O> {
  speak(job: SpeakingJob, context: SpeechContext<O>): Promise<SpokenText>
}
