import { Form } from 'antd'
import { createElement, useEffect, useRef } from 'react'
import { FirstField } from './FirstField.tsx'
import { contentOf } from './form-content.ts'
import { useConfirm } from './use-confirm.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

/** Tells whether the form in a dialog or drawer holds input that closing would lose. */
export type WatchInput = (isChanged: () => boolean) => void

const nothing = () => false

/**
 * Asks before a dialog or drawer with changed input is closed by Esc, ✕ or a click beside it; an unchanged one closes at
 * once. The form in it reports by `FormInput`. Its own 取消 says what it does and does not ask.
 */
export function useAskClose(close: () => void): { askClose: () => void; watch: WatchInput } {
  const confirm = useConfirm()
  const isChanged = useRef(nothing)
  const isAsking = useRef(false)
  const watch = useRef<WatchInput>((next) => {
    isChanged.current = next
  })
  const done = () => {
    isAsking.current = false
  }
  useLeaveGuard({ isUnsaved: () => isChanged.current(), lost: '离开后，刚才填写的内容将丢失。', isOverPage: true })
  return {
    watch: watch.current,
    askClose: () => {
      if (!isChanged.current()) return close()
      if (isAsking.current) return
      isAsking.current = true
      confirm({
        title: '有未保存的内容，确定关闭吗？',
        content: '关闭后，刚才填写的内容将丢失。',
        okText: '放弃修改',
        cancelText: '继续编辑',
        isDanger: true,
        isSafeFirst: true,
        onOk: () => {
          done()
          close()
        },
        onCancel: done,
      })
    },
  }
}

/** The same for a dialog without a form: `isChanged` says whether something was chosen in it. */
export function useAskLeave(isChanged: boolean, close: () => void): { askClose: () => void } {
  const { askClose, watch } = useAskClose(close)
  useEffect(() => watch(() => isChanged), [watch, isChanged])
  return { askClose }
}

/**
 * In a form: compares what it holds with what it held at first, and gives its first field the focus. `more`: what it holds
 * beside its fields.
 */
export function FormInput({ watch, more = null }: { watch: WatchInput; more?: unknown }) {
  const form = Form.useFormInstance()
  const content = () => contentOf([form.getFieldsValue(), more])
  const latest = useRef(content)
  useEffect(() => {
    latest.current = content
  })
  useEffect(() => {
    const first = latest.current()
    watch(() => latest.current() !== first)
    return () => watch(nothing)
  }, [watch])
  return createElement(FirstField)
}
