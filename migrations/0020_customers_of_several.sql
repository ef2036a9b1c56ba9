-- One customer of the payment provider may pay for several people: nothing is found by it.
ALTER TABLE "billing_accounts" DROP CONSTRAINT "billing_accounts_customer_id_unique";