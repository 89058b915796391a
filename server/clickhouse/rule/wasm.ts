// Node has WebAssembly, but its types are part of the browser's, which the server does not include.

export type WasmMemory = { readonly buffer: ArrayBuffer; grow(pages: number): number }
type Wasm = {
  Memory: new (limits: { initial: number; maximum?: number }) => WasmMemory
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  Instance: new <Exports>(
    module: object,
    imports: Record<string, Record<string, WasmMemory>>,
  ) => { readonly exports: Exports }
}

declare const WebAssembly: Wasm
export const wasm = WebAssembly
