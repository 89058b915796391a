// Every form stands inside it, so it comes with the contexts; the rest of the package comes with the first form.
export { FormProvider } from '@rc-component/form/es/FormContext'
