/** An argument as the DevTools protocol describes it. */
export interface ConsoleArgument {
  readonly type?: string
  readonly value?: unknown
  readonly description?: string
  readonly preview?: {
    readonly subtype?: string
    readonly overflow?: boolean
    readonly properties: readonly { readonly name: string; readonly value?: string }[]
  }
}

/** Where a script's exception was thrown, as the protocol reports it. */
interface ExceptionDetails {
  readonly text: string
  readonly exception?: { readonly description?: string }
}

/** A frame of a page, and those in it. */
export interface FrameTree {
  readonly frame: { readonly id: string }
  readonly childFrames?: readonly FrameTree[]
}

/** The results of the commands that capture uses. */
export interface CommandResults {
  'Page.navigate': { readonly frameId: string; readonly loaderId?: string; readonly errorText?: string }
  'Page.getFrameTree': { readonly frameTree: FrameTree }
  'Page.createIsolatedWorld': { readonly executionContextId: number }
  'Page.captureScreenshot': { readonly data: string }
  'Runtime.evaluate': {
    readonly result: { readonly value?: unknown; readonly objectId?: string }
    readonly exceptionDetails?: ExceptionDetails
  }
  'Runtime.callFunctionOn': { readonly result: { readonly value?: unknown } }
  'Animation.resolveAnimation': { readonly remoteObject: { readonly objectId?: string } }
  'DOM.describeNode': {
    readonly node: {
      readonly shadowRoots?: readonly { readonly shadowRootType?: string; readonly backendNodeId: number }[]
    }
  }
  'DOM.resolveNode': { readonly object: { readonly objectId: string } }
  'HeadlessExperimental.beginFrame': { readonly hasDamage: boolean; readonly screenshotData?: string }
}

/** The parameters of the events that capture listens to. */
export interface EventParams {
  'Fetch.requestPaused': {
    readonly requestId: string
    readonly request: { readonly url: string; readonly method: string }
    readonly frameId: string
    readonly resourceType: string
  }
  'Page.frameNavigated': {
    readonly frame: { readonly id: string; readonly loaderId: string; readonly url: string }
  }
  'Runtime.bindingCalled': { readonly name: string; readonly payload: string }
  'Animation.animationStarted': {
    readonly animation: {
      readonly id: string
      readonly name: string
      /** Set for an animation that follows a scroll position. */
      readonly viewOrScrollTimeline?: unknown
    }
  }
  'Animation.animationCanceled': { readonly id: string }
  'Page.javascriptDialogOpening': { readonly type: string; readonly message: string }
  'Page.windowOpen': { readonly url: string }
  'Page.downloadWillBegin': { readonly url: string }
  'Inspector.targetCrashed': Readonly<Record<string, never>>
  'Log.entryAdded': {
    readonly entry: {
      readonly source: string
      readonly level: string
      readonly text: string
      readonly url?: string
    }
  }
  'Runtime.consoleAPICalled': {
    readonly type: string
    readonly args: readonly ConsoleArgument[]
  }
  'Debugger.scriptParsed': { readonly scriptId: string; readonly url: string }
  'Debugger.paused': {
    readonly callFrames: readonly {
      readonly location: { readonly scriptId: string; readonly lineNumber: number }
    }[]
  }
}
